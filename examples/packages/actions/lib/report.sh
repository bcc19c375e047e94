# Sourced by the scripts of this package: what is printed goes to the worker's log, the last lines to the record.
report() {
  printf '%s %s\n' "$(date -u +%H:%M:%S)" "$*"
}
