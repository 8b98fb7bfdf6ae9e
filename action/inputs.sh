# shellcheck shell=bash
# inputs (environment INPUT_*) → arguments: each value stays one argument, whatever it holds.
#
# Sourced by check.sh and merge.sh. A value is attached to its flag (`--flag=value`), so
# that none is ever read as another flag. Bash 3.2, which macOS has, must do.

# The arguments gathered so far; the command comes first.
arguments=()

# The value of an input, without blank space around it.
input() {
  local variable
  variable=INPUT_$(printf '%s' "$1" | tr 'a-z-' 'A-Z_')
  trimmed "${!variable-}"
}

trimmed() {
  local text=$1
  text=${text#"${text%%[![:space:]]*}"}
  printf '%s' "${text%"${text##*[![:space:]]}"}"
}

# The value of an input that holds one line.
one_line() {
  local value
  value=$(input "$1")
  if [[ $value == *[$'\n\r']* ]]; then
    fail 2 "input \`$1\`: it holds more than one line. hint: one value; only \`header\`, \`allow-private-host\`, \`paths\` and \`reports\` take a list"
  fi
  printf '%s' "$value"
}

# `--flag=value`, if the input has one.
one() {
  local name value
  for name in "$@"; do
    value=$(one_line "$name") || refuse "$value"
    [[ -z $value ]] || arguments+=("--$name=$value")
  done
}

# `--flag=value` for each line of the input.
many() {
  local name
  for name in "$@"; do
    each "$name" "$name"
  done
}

# `--$2=value` for each line of the input `$1`.
each() {
  local value
  while IFS= read -r value; do
    value=$(trimmed "$value")
    [[ -z $value ]] || arguments+=("--$2=$value")
  done <<<"$(input "$1")"
}

# `--flag` where the input is true.
switch() {
  local name value
  for name in "$@"; do
    value=$(truth "$name") || refuse "$value"
    [[ $value != true ]] || arguments+=("--$name")
  done
}

# `--flag` or `--flag=false`; nothing where the input says nothing, and lockgate decides.
three_way() {
  local value
  value=$(truth "$1") || refuse "$value"
  case $value in
    true) arguments+=("--$1") ;;
    false) arguments+=("--$1=false") ;;
  esac
}

truth() {
  local value
  value=$(one_line "$1") || refuse "$value"
  case $value in
    '' | true | false) printf '%s' "$value" ;;
    *) fail 2 "input \`$1\`: \`$value\` is neither true nor false" ;;
  esac
}

# A function in `$(…)` failed: what it printed is its message.
refuse() {
  printf '%s\n' "$1"
  exit 2
}

# The rest of the line after `--`: each line of the input one argument.
operands() {
  local value found=()
  while IFS= read -r value; do
    value=$(trimmed "$value")
    [[ -z $value ]] || found+=("$value")
  done <<<"$(input "$1")"
  [[ ${#found[@]} == 0 ]] || arguments+=(-- "${found[@]}")
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

# Goes to the working directory, which every path in an input is relative to.
into_the_folder() {
  local folder
  folder=$(one_line working-directory) || refuse "$folder"
  cd -- "${folder:-.}" 2>/dev/null || fail 2 "input \`working-directory\`: no folder \`$folder\`. hint: it is relative to the workspace; is there a checkout step before this one?"
}

# Becomes lockgate, so that the runner's signals reach it. It sees no INPUT_* variable.
become_lockgate() {
  local binary=${LOCKGATE_BINARY-}
  [[ -n $binary && -f $binary ]] || fail 2 "the binary that was installed is gone: \`$binary\`"
  unset LOCKGATE_BINARY "${!INPUT_@}"
  # Git for Windows rewrites arguments that look like paths, unless told not to.
  export MSYS_NO_PATHCONV=1 MSYS2_ARG_CONV_EXCL='*'
  exec "$binary" "${arguments[@]}"
}
