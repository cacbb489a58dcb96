"""Runs functions in a process of Node, because moto's Lambda needs Docker."""

import io
import json
import os
import subprocess
import tempfile
import zipfile

SCRIPT = """
const context = { awsRequestId: 'rehearsal', getRemainingTimeInMillis: () => 29_000 };
require('./index.js').handler(JSON.parse(require('fs').readFileSync(0)), context)
  .then((answer) => console.log('\\n' + JSON.stringify(answer ?? null)));
"""


def invoke(function, event=None):
    """The answer of a function as JSON, whether it failed, and its log."""
    # A function has empty variables where it uses the defaults.
    variables = {name: value for name, value in function.environment_vars.items() if value}
    with tempfile.TemporaryDirectory() as folder:
        zipfile.ZipFile(io.BytesIO(function.code_bytes)).extractall(folder)
        ended = subprocess.run(
            [os.environ["NODE"], "-e", SCRIPT],
            cwd=folder,
            env=os.environ | variables,
            input=json.dumps(event),
            capture_output=True,
            text=True,
        )
    if ended.returncode != 0:
        return json.dumps({"errorMessage": ended.stderr[-4000:]}), True, ended.stderr
    return ended.stdout.rstrip("\n").rsplit("\n", 1)[-1], False, ended.stdout
