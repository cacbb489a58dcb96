"""Starts PostgreSQL in a folder, and then Kinto in this process: start.py DATA PORT"""

import os
import sys

import pgserver

data, port = sys.argv[1:]
folder = os.path.dirname(os.path.abspath(__file__))
# PostgreSQL goes on if Kinto ends by SIGKILL, as a database server of its own does.
database = pgserver.get_server(os.path.join(data, "pg"), cleanup_mode=None).get_uri()
ini = os.path.join(data, "kinto.ini")
with open(os.path.join(folder, "kinto.ini"), encoding="utf-8") as source, open(ini, "w", encoding="utf-8") as target:
    target.write(source.read().replace("%(DATABASE)s", database.replace("%", "%%")).replace("%(PORT)s", port))
program = os.path.join(folder, ".venv/bin/kinto")
os.spawnl(os.P_WAIT, program, "kinto", "migrate", "--ini", ini)
os.execl(program, "kinto", "start", "--ini", ini)
