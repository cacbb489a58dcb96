"""Runs SAM, and makes it respond as soon as the function has responded.

SAM waits up to a second for the last line of a function's log before it responds. It misses this line if several lines
arrive together, which happens on a busy machine (1.170.0). Without this change, a response may take a second longer.
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
