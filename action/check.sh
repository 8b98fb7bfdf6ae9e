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
  one base head config sarif html format concurrency timeout fail-on shard
  many header allow-private-host
  switch allow-empty
  three_way offline
  report
  operands paths
  become_lockgate
}

main
