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
  operands reports
  become_lockgate
}

main
