#!/usr/bin/env bash
# inputs → `lockgate merge`: the reports of all shards become one.
set -euo pipefail

here=${BASH_SOURCE[0]%/*}
# shellcheck source=action/say.sh
source "$here/say.sh"
# shellcheck source=action/inputs.sh
source "$here/inputs.sh"

main() {
  arguments=(merge)
  [[ -n $(input reports) ]] || fail 2 "input \`reports\`: it is required. hint: the shards' reports, one path a line"
  into_the_folder
  one base head config sarif html format fail-on
  each paths path
  switch allow-empty
  three_way offline
  report
  reports
  become_lockgate
}

# Each line is a path or a pattern (`reports/*/lockgate-report.json`); what it does not
# match stays, and lockgate says what is missing.
reports() {
  local line found=() IFS=
  while IFS= read -r line; do
    line=$(trimmed "$line")
    # shellcheck disable=SC2206 # patterns are meant; IFS is empty, so nothing is split
    [[ -z $line ]] || found+=($line)
  done <<<"$(input reports)"
  arguments+=(-- "${found[@]}")
}

main
