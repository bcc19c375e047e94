#!/usr/bin/env bash
# Looks whether a session would come to its end, and creates it only if it would.
#
#     examples/full-cloud/look-before.sh request.json
#
# The file holds a create request. PARLEY_URL is the address of the service, PARLEY_TOKEN an admin's token where it
# needs one. Where the session could not end, the script tells what is missing and what would help, and ends with 1.
set -euo pipefail

url="${PARLEY_URL:-http://localhost:12347}/v1/maintenance"
call() { curl -fsS -H "X-Auth-Token: ${PARLEY_TOKEN:-none}" -H 'Content-Type: application/json' "$@"; }

plan=$(call "$url/plan" -d "@$1")
if [[ $plan != *'"completes":true'* ]]; then
  echo 'the session could not end:' >&2
  grep -o '"because":"[^"]*","help":"[^"]*"' <<< "$plan" | sed 's/"because":"\(.*\)","help":"\(.*\)"/- \1\n  \2/' >&2
  exit 1
fi
grep -o '"ends_at":{[^}]*}' <<< "$plan"
call "$url" -d "@$1"
echo
