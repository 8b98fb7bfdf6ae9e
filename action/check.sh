#!/usr/bin/env bash
# inputs → `lockgate check`: the one run of the action.
set -euo pipefail

here=${BASH_SOURCE[0]%/*}
# shellcheck source=action/say.sh
source "$here/say.sh"
# shellcheck source=action/inputs.sh
source "$here/inputs.sh"

main() {
  arguments=(check)
  into_the_folder
  one base head config sarif format concurrency timeout fail-on shard
  many header allow-private-host
  switch allow-empty
  three_way offline
  report
  operands paths
  become_lockgate
}

# There is always a report, so that the output `report` always names one.
report() {
  local path
  path=$(one_line report) || refuse "$path"
  if [[ -z $path && -n ${RUNNER_TEMP-} ]]; then
    path=$(mktemp -d "$RUNNER_TEMP/lockgate-report-XXXXXX") || fail 2 "no folder for the report can be made in \`$RUNNER_TEMP\`"
    path=$path/lockgate-report.json
  fi
  [[ -z $path ]] || arguments+=("--report=$path")
}

main
