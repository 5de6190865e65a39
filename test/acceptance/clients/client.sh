#!/usr/bin/env bash
# A client of the interface with curl and jq, written from its text alone. It knows nothing else of the service.
set -euo pipefail

three=(-H "X-API-APP-ID: $APP_ID" -H "X-API-PUBLIC-KEY: $PUBLIC_KEY" -H "X-API-SECRET-KEY: $SECRET_KEY")
get() { curl -sSf "${three[@]}" -H "X-LOCALE: $LOCALE" -G "$BASE_URL/v1$1" "${@:2}"; }
# A decoder that refuses fields that the interface does not print.
exactly() { jq -e --argjson names "$1" 'if keys == ($names | sort) then . else error("unknown fields: \(keys)") end'; }

guests=()
page=1
while :; do
  answer=$(get /guests -d sessionIds="$SESSIONS" -d start=$page -d length=2 -d project=firstName,lastName,startDate,endDate)
  exactly '["data", "total"]' <<<"$answer" >/dev/null
  while IFS= read -r guest; do guests+=("$guest"); done < <(jq -c \
    '.data[] | [.firstName, .lastName, .startDate, .ids.startDate[:10], .ids.status]' <<<"$answer")
  [ "${#guests[@]}" -ge "$(jq .total <<<"$answer")" ] && break
  page=$((page + 1))
done

report=$(curl -sSf -H "Authorization: Bearer $API_KEY" -H 'Content-Type: application/json' \
  -G "$BASE_URL/guests/meal-skipping-report" -d startDate="$FROM" -d endDate="$TO" |
  exactly '["summary", "byDate", "byGuest"]')
sessions=$(get /sessions -d startDate="${FROM}T00:00:00Z" -d endDate="${TO}T23:59:59Z")
orders=$(get /orders -d startDate="$FROM" -d endDate="$TO" -d includeGuestNames=true)
totals=()
for uuid in $(jq -r '.[].uuid' <<<"$orders"); do
  totals+=("$(get "/orders/$uuid" | exactly '["uuid", "orderDate", "totalAmount", "status", "items", "billingAddress",
    "paymentMethod", "paymentStatus", "notes", "createdAt", "updatedAt"]' | jq -c '[.uuid, .totalAmount]')")
done

refusal() { curl -sS -w '\n%{http_code}' "$@" | jq -sc '[.[1], .[0].error.code, (.[0].error.message | length > 0)]'; }
errors=$(
  refusal "${three[@]}" "$BASE_URL/v1/guests"
  refusal "${three[@]}" "$BASE_URL/v1/orders/00000000-0000-4000-8000-000000000000"
  refusal -H 'Authorization: Bearer nonsense' "$BASE_URL/v1/guests?sessionId=x"
)

jq -nc --argjson report "$report" --argjson sessions "$sessions" --argjson orders "$orders" \
  --slurpfile guests <(printf '%s\n' "${guests[@]}") --slurpfile totals <(printf '%s\n' "${totals[@]}") \
  --slurpfile errors <(printf '%s\n' "$errors") \
  '{ guests: $guests, skips: [$report.byGuest[] | .totalSkippedBreakfast + .totalSkippedLunch + .totalSkippedDinner] | add,
    sessions: [$sessions.data[] | [._id, .name]], names: [$orders[].guestNames], totals: $totals, errors: $errors }'
