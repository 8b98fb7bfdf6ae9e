# shellcheck shell=bash
# message → workflow command: what the runner shows beside the job, on one line.
#
# Sourced by the scripts of the action; defines functions and does nothing else.

# A runner's workflow command ends at a line end, and `%` opens an escape in it.
encoded() {
  local text=$1
  text=${text//%/%25}
  text=${text//$'\r'/%0D}
  text=${text//$'\n'/%0A}
  printf '%s' "$text"
}

notice() {
  echo "::notice title=lockgate::$(encoded "$1")"
}

warning() {
  echo "::warning title=lockgate::$(encoded "$1")"
}

# Ends the step: 1 is a block, 2 is work that could not be done.
fail() {
  echo "::error title=lockgate::$(encoded "$2")"
  exit "$1"
}
