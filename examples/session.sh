# Functions that the example scripts share: they send requests, create a session and follow it to its end.
#
# PARLEY_URL is the address of the service, PARLEY_TOKEN an admin's token where it needs one. ACTIONS is the list of
# action plug-ins. If a script was interrupted, run it again with the same REQUEST_KEY: it goes on with the same session.
set -euo pipefail

url="${PARLEY_URL:-http://localhost:12347}/v1/maintenance"
key="${REQUEST_KEY:-$(date -u +%FT%T)-$$}"

call() { curl -fsS -H "X-Auth-Token: ${PARLEY_TOKEN:-none}" -H 'Content-Type: application/json' "$@"; }
field() { sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p"; }

# create FIELDS HOST...: creates a session with these further fields that begins now, since its start lies in the past.
create() {
  local fields=$1 hosts
  shift
  hosts=$(printf '"%s",' "$@")
  session=$(call -H "Idempotency-Key: $key" "$url" -d "{
    \"hosts\": [${hosts%,}],
    \"workflow\": \"vnf\",
    \"state\": \"MAINTENANCE\",
    \"maintenance_at\": \"2026-01-01 00:00:00\",
    \"metadata\": {},
    \"actions\": ${ACTIONS:-[]},
    $fields
  }" | field session_id)
  echo "session $session is created, REQUEST_KEY=$key"
}

# Waits until the session has ended, and tells which hosts it went on without, and why. Ends with 1 where it has failed.
follow() {
  local state='' detail
  until [ "$state" = MAINTENANCE_DONE ] || [ "$state" = MAINTENANCE_FAILED ]; do
    sleep "${POLL_SECONDS:-30}"
    state=$(call "$url/$session" | field state)
  done
  detail=$(call "$url/$session/detail")
  echo "$state, $(field percent_done <<< "$detail") % of the hosts are maintained"
  grep -o '"set_aside":\[[^]]*\]' <<< "$detail" | grep -o '"hostname":"[^"]*","reason":"[^"]*"' |
    sed 's/"hostname":"\(.*\)","reason":"\(.*\)"/- \1: \2/' || true
  [ "$state" = MAINTENANCE_DONE ]
}
