#!/bin/sh
# What most clients need: conditional writes, repeated requests, pages, files and long work, with curl and jq.
# client.sh http://127.0.0.1:3000
set -eu
service=$1
headers=$(mktemp)
trap 'rm -f "$headers"' EXIT

# Sends a request: call METHOD PATH [options of curl]. Prints the body. A problem (RFC 9457) goes to stderr and ends the script.
call() {
  method=$1 path=$2
  shift 2
  body=$(curl -sS -D "$headers" -X "$method" "$@" "$service$path")
  case $(sed -n '1s/^[^ ]* \([0-9]*\).*/\1/p' "$headers") in
    2* | 3*) printf '%s\n' "$body" ;;
    *) printf '%s\n' "$body" | jq -r '"\(.status) \(.title): \(.detail // "")"' >&2; return 1 ;;
  esac
}
# The value of a header field of the last response.
field() { sed -n "s/^$1: \(.*\)\r$/\1/Ip" "$headers" | tail -n 1; }

# A request with the same key has one effect, so curl may send it again.
create() {
  call POST "$1" --retry 3 --retry-connrefused -H "Idempotency-Key: $(uuidgen 2>/dev/null || cat /proc/sys/kernel/random/uuid)" \
    -H 'Content-Type: application/json' -d "$2" >/dev/null
  field location
}

customer=$(create /customers '{"name":"Acme"}')
# If-Match: the change fails with 412 if another client was faster.
call GET "$customer" >/dev/null
changed=$(call PATCH "$customer" -H "If-Match: $(field etag)" -H 'Content-Type: application/merge-patch+json' \
  -d '{"name":"Acme from the shell"}')
echo "customer $customer $(printf '%s' "$changed" | jq -r .name)"

order=$(create "$customer/orders" '{"productId":1,"orderValue":9.9}')
next="$customer/orders?limit=1"
while [ -n "$next" ]; do
  page=$(call GET "$next")
  printf '%s' "$page" | jq -r '.items[] | "order \(.orderId)"'
  next=$(printf '%s' "$page" | jq -r '[.links[] | select(.rel == "next") | .href][0] // ""')
done

call PUT /files/shell.txt -H 'Content-Type: text/plain' -d 'hello from the shell' >/dev/null
echo "bytes $(call GET /files/shell.txt -H 'Range: bytes=0-4')"

call POST "$order/pay" -H 'Prefer: respond-async' >/dev/null
operation=$(field location) status=NotStarted
while [ "$status" = NotStarted ] || [ "$status" = Running ]; do
  status=$(call GET "$operation" -H 'Prefer: wait=20' | jq -r .status)
done
echo "payment $status"
call DELETE "$customer" -H 'If-Match: "older"' 2>&1 | sed 's/^/refused /'
