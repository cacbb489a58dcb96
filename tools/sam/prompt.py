"""Runs SAM, so that it answers when the function has.

SAM waits for the last line of a function's log before it answers, for a second at most. It does not see the line when it
comes together with those before it, which happens whenever the machine is busy (1.170.0): any answer may take a second
longer. Nothing else of SAM is touched.
"""

import sys

from samcli.cli.main import cli
from samcli.local.docker.container import Container

write = Container._handle_data_writing


def write_and_tell(output_stream, output_data, event):
    write(output_stream, output_data, event)
    if event and b"REPORT RequestId:" in output_data:
        event.set()


Container._handle_data_writing = staticmethod(write_and_tell)
sys.exit(cli(prog_name="sam"))
