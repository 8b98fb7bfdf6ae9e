#!/usr/bin/env bash
# binary: given, downloaded and verified, or built → step output `binary`.
#
# A downloaded file is run only if its SHA-256 stands in action/release.txt, which is part
# of the commit that a workflow pins. A digest that differs ends the step and nothing is
# built instead; a file that is not to be had is built from the same commit's source.
set -euo pipefail

here=${BASH_SOURCE[0]%/*}
# shellcheck source=action/say.sh
source "$here/say.sh"

main() {
  token=${INPUT_TOKEN-}
  unset INPUT_TOKEN # whatever is called from here on has no use for it
  check_inputs
  if [[ -n ${INPUT_BINARY-} ]]; then
    given
  else
    download || build
  fi
  local version
  version=$("$binary" --version) || version=
  [[ $version == "lockgate "* ]] || fail 2 "\`$binary\` is not lockgate, or does not run here"
  echo "$version"
  echo "binary=$binary" >>"$GITHUB_OUTPUT"
}

check_inputs() {
  local name
  for name in INPUT_BINARY INPUT_DOWNLOAD_BASE INPUT_VERIFY_ATTESTATION; do
    [[ ${!name-} != *[$'\n\r']* ]] || fail 2 "input \`$(echo "${name#INPUT_}" | tr 'A-Z_' 'a-z-')\`: it holds more than one line"
  done
  case ${INPUT_VERIFY_ATTESTATION-} in
    '' | true | false) ;;
    *) fail 2 "input \`verify-attestation\`: \`$INPUT_VERIFY_ATTESTATION\` is neither true nor false" ;;
  esac
}

given() {
  binary=$INPUT_BINARY
  [[ $binary == /* || $binary == [A-Za-z]:* ]] || binary=$PWD/$binary
  [[ -f $binary && -x $binary ]] || fail 2 "input \`binary\`: \`$INPUT_BINARY\` is not a program. hint: a path to lockgate on this runner"
  if [[ -n ${GITHUB_WORKSPACE-} && $binary == "$GITHUB_WORKSPACE"/* ]]; then
    warning "input \`binary\`: \`$INPUT_BINARY\` lies in the workspace, where a pull request can replace it. hint: keep it outside"
  fi
}

# Sets `binary`, or says why not; ends the step where a digest or an attestation is wrong.
download() {
  local version triple file digest base folder
  version=$(release_line version)
  triple=$(triple) || say_building "no release for $(uname -s) on $(uname -m)" || return 1
  file=lockgate-$version-$triple.tar.gz
  digest=$(release_line "$file")
  [[ -n $digest ]] || say_building "action/release.txt lists no file for $triple" || return 1
  base=$(base_url "$version") || refused "$base" || return 1
  folder=$RUNNER_TEMP/lockgate-$version-${digest:0:12}
  mkdir -p "$folder"
  fetch "$base/$file" "$folder/$file" || say_building "$base/$file: $fetch_fault" || return 1
  verify_digest "$folder/$file" "$digest" || return 1
  verify_attestation "$folder/$file"
  extract "$folder/$file" "$folder" "$triple"
}

# Line 1 of release.txt is the version, each other line `sha256  file`.
release_line() {
  local digest file
  if [[ $1 == version ]]; then
    read -r digest <"$here/release.txt"
    printf '%s' "$digest"
    return
  fi
  while read -r digest file; do
    if [[ $file == "$1" && $digest =~ ^[0-9a-f]{64}$ ]]; then
      printf '%s' "$digest"
      return
    fi
  done <"$here/release.txt"
}

# Linux binaries are static: they run beside any libc, or none.
triple() {
  case $(uname -s)/$(uname -m) in
    Linux/x86_64) echo x86_64-unknown-linux-musl ;;
    Linux/aarch64 | Linux/arm64) echo aarch64-unknown-linux-musl ;;
    Darwin/x86_64) echo x86_64-apple-darwin ;;
    Darwin/arm64) echo aarch64-apple-darwin ;;
    MINGW*/x86_64 | MSYS*/x86_64) echo x86_64-pc-windows-msvc ;;
    *) return 1 ;;
  esac
}

# Releases are on github.com also where the workflow runs on another GitHub.
base_url() {
  local base=${INPUT_DOWNLOAD_BASE-}
  if [[ -z $base ]]; then
    [[ ${ACTION_REPOSITORY-} =~ ^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$ ]] || return 1
    base=https://github.com/$ACTION_REPOSITORY/releases/download/bin-v$1
  elif [[ ! $base =~ ^https://[^/@[:space:]]+(/[^[:space:]]*)?$ && ! $base =~ ^http://127\.0\.0\.1(:[0-9]+)?(/[^[:space:]]*)?$ ]]; then
    printf '%s' "$base"
    return 1
  fi
  printf '%s' "${base%/}"
}

refused() {
  if [[ -n $1 ]]; then
    fail 2 "input \`download-base\`: \`$1\` is not an https address (http is for 127.0.0.1 only)"
  fi
  say_building "the action runs from a local path, which has no releases"
}

# Downloads $1 into $2, or sets `fetch_fault`.
fetch() {
  local scheme=https only=()
  [[ $1 != http:* ]] || { scheme=http && only=(--noproxy 127.0.0.1); }
  [[ $scheme == http ]] || only=(--tlsv1.2)
  fetch_fault="there is no curl"
  command -v curl >/dev/null || return 1
  fetch_fault=$(curl -q --proto "=$scheme" --proto-redir "=$scheme" "${only[@]}" --fail --silent --show-error \
    --location --retry 3 --connect-timeout 10 --max-time 120 --max-filesize 104857600 \
    --output "$2" -- "$1" 2>&1)
}

verify_digest() {
  local found
  found=$(sha256 "$1") || say_building "there is no sha256sum and no shasum, so nothing can be verified" || return 1
  if [[ $found != "$2" ]]; then
    rm -f "$1"
    fail 1 "${1##*/}: its SHA-256 is $found, and this commit of the action pins $2. It was not run. hint: a mirror that changes files, or somebody who replaced the release; report it before you do anything else"
  fi
}

# Reads standard input, because a backslash in a name changes what sha256sum prints.
sha256() {
  local line
  if command -v sha256sum >/dev/null; then
    line=$(sha256sum <"$1")
  elif command -v shasum >/dev/null; then
    line=$(shasum -a 256 <"$1")
  else
    return 1
  fi
  printf '%s' "${line%% *}"
}

# A second opinion: which workflow built this file. Needs gh, the network and a token.
verify_attestation() {
  [[ ${INPUT_VERIFY_ATTESTATION-} == true ]] || return 0
  command -v gh >/dev/null || fail 2 "input \`verify-attestation\`: there is no gh on this runner"
  local repository=${ACTION_REPOSITORY-} told
  told=$(GH_TOKEN=$token GH_HOST=github.com gh attestation verify "$1" --repo "$repository" \
    --signer-workflow "$repository/.github/workflows/release.yml" 2>&1) ||
    fail 1 "${1##*/}: its attestation was not verified, so it was not run: $told"
  echo "attested by $repository/.github/workflows/release.yml"
}

# Only the one member, as bytes: an archive places no file of its own choosing.
extract() {
  local name=lockgate
  [[ $3 != *windows* ]] || name=lockgate.exe
  binary=$2/$name
  tar -xzOf - "$name" <"$1" >"$binary" || fail 2 "${1##*/}: no \`$name\` in it"
  chmod 755 "$binary"
}

say_building() {
  notice "$1: building lockgate from the source of this commit"
  return 1
}

# In the action's own folder: cargo obeys `.cargo/config.toml` and `rust-toolchain.toml` of
# the folder it is called in, and the workspace may be a stranger's.
build() {
  command -v cargo >/dev/null || fail 2 "lockgate can be neither downloaded nor built here: there is no cargo. hint: install Rust 1.88 or later before this step, or give the input \`binary\`"
  (cd "$here/.." && cargo build --release --locked --target-dir "$RUNNER_TEMP/lockgate-target") ||
    fail 2 "lockgate cannot be built from source here; cargo said why"
  binary=$RUNNER_TEMP/lockgate-target/release/lockgate
  [[ -f $binary ]] || binary=$binary.exe
}

main
