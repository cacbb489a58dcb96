#!/bin/sh
# Stays between npm and the script that npm runs: `sh -c SCRIPT` of npm, without replacing itself.
sh "$@"
exit $?
