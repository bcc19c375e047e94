#!/usr/bin/env bash
# Patches the hosts of one rack tonight between two and six: one host first, and the others once it is back.
#
#     examples/one-rack/patch-one-rack.sh compute-1 compute-2 compute-3
#
# PARLEY_URL is the address of the service, PARLEY_TOKEN an admin's token where it needs one. FROM, TO and TIME_ZONE
# change the window, ACTIONS the action plug-ins. The start lies in the past, which means now. If the script was
# interrupted, run it again with the same REQUEST_KEY: it goes on with the same session.
set -euo pipefail

url="${PARLEY_URL:-http://localhost:12347}/v1/maintenance"
key="${REQUEST_KEY:-$(date -u +%FT%T)-$$}"
hosts=$(printf '"%s",' "$@")
days='["mon", "tue", "wed", "thu", "fri", "sat", "sun"]'
window="{ \"days\": $days, \"from\": \"${FROM:-02:00}\", \"to\": \"${TO:-06:00}\", \"time_zone\": \"${TIME_ZONE:-UTC}\" }"

call() { curl -fsS -H "X-Auth-Token: ${PARLEY_TOKEN:-none}" -H 'Content-Type: application/json' "$@"; }
field() { sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p"; }

session=$(call -H "Idempotency-Key: $key" "$url" -d "{
  \"hosts\": [${hosts%,}],
  \"workflow\": \"vnf\",
  \"state\": \"MAINTENANCE\",
  \"maintenance_at\": \"2026-01-01 00:00:00\",
  \"metadata\": {},
  \"actions\": ${ACTIONS:-[]},
  \"windows\": [$window],
  \"max_parallel_hosts\": 1
}" | field session_id)
echo "session $session: one host first, REQUEST_KEY=$key"

until [ "$(call "$url/$session/detail" | field percent_done)" -gt 0 ]; do
  if [ "$(call "$url/$session" | field state)" = MAINTENANCE_FAILED ]; then
    echo "session $session has failed, see $url/$session/detail" >&2
    exit 1
  fi
  sleep "${POLL_SECONDS:-30}"
done

call -X PATCH "$url/$session" -d '{ "max_parallel_hosts": null }' > /dev/null
echo 'the first host is back: the others follow, as many at once as is safe'
