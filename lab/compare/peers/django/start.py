"""Creates the tables, and then serves the API by Gunicorn in this process: start.py PORT"""

import os
import sys

folder = os.path.dirname(os.path.abspath(__file__))
os.chdir(folder)
sys.path.insert(0, folder)
import api  # noqa: E402
from django.db import connection  # noqa: E402

known = connection.introspection.table_names()
with connection.schema_editor() as editor:
    for model in (api.Member, api.Customer, api.Product, api.Order, api.File):
        if model._meta.db_table not in known:
            editor.create_model(model)
connection.close()
program = os.path.join(folder, ".venv/bin/gunicorn")
os.execl(program, "gunicorn", "api:application", "--bind", f"127.0.0.1:{sys.argv[1]}", "--workers", "2", "--threads", "4",
         "--log-level", "error")
