#!/usr/bin/env bash
# Uploads a file of any size and waits until the service has registered it: upload.sh FILE [ADDRESS OF THE SERVICE]
# For a service that requires a token: TOKEN=… upload.sh FILE ADDRESS
# After an interruption, start it again: it sends only the missing parts. Needs curl, jq and openssl.
set -euo pipefail
file=$1
address=${2:-http://127.0.0.1:3000}
answer=$file.upload.json
# The service gets the token, S3 does not: its links are signed. `-H @` keeps it out of the list of processes.
service() { curl -sS -H @<(echo "${TOKEN:+Authorization: Bearer $TOKEN}") "$@"; }
link() { jq -r ".uploads[0].$1" "$answer"; }
operation() { sed -E 's#^([a-z]+://[^/]+).*#\1#' <<< "$address" | tr -d '\n'; jq -r '.links[] | select(.rel == "self") | .href' "$answer"; }
headers() { jq -r ".uploads[0]$1.headers | to_entries[] | \"\(.key): \(.value)\"" "$answer"; }

# Renew the upload links of an earlier start, or register the file to get its first ones. An upload that has arrived
# gets none.
if [ -e "$answer" ]; then
  service -X POST "$(operation)/links" | jq -s '.[0] + {uploads: (.[1].uploads // [])}' "$answer" - > "$answer.new"
  mv "$answer.new" "$answer"
else
  jq -n --arg filename "$(basename "$file")" --argjson size "$(wc -c < "$file")" \
    --arg digest "sha-256=:$(openssl dgst -sha256 -binary "$file" | openssl base64 -A):" \
    '{$filename, $size, $digest}' |
    service -f "$address/files" -H 'Content-Type: application/json' --data-binary @- > "$answer.new"
  mv "$answer.new" "$answer"
fi

if [ "$(link size)" = null ]; then
  echo 'The file has arrived already.' >&2
elif [ "$(link parts)" = null ]; then
  # Upload the file as a whole.
  curl -sSf -T "$file" "$(link href)" -H @<(headers '')
else
  # Upload the missing parts, then complete the upload.
  sent() { curl -sSf "$(link sent.href)" | grep -oE '<(PartNumber|ETag)>[^<]*</(PartNumber|ETag)>' | paste - -; }
  there=$(sent || true)
  count=$(link 'parts | length')
  jq -r '.uploads[0].parts[] | "\(.partNumber) \(.href)"' "$answer" | while read -r number href; do
    echo "Part $number of $count" >&2
    if ! grep -q "<PartNumber>$number<" <<< "$there"; then
      dd if="$file" bs="$(link partSize)" skip=$((number - 1)) count=1 status=none |
        curl -sSf -X PUT "$href" -H 'Content-Type:' --data-binary @-
    fi
  done
  { echo '<CompleteMultipartUpload>' && sent | sed 's/.*/<Part>&<\/Part>/' && echo '</CompleteMultipartUpload>'; } |
    curl -sSf "$(link complete.href)" -H 'Content-Type:' -H @<(headers .complete) --data-binary @- > "$answer.done"
fi

# Wait until the operation ends. A 303 means success and leads to the file.
while status=$(service -o "$answer.done" -w '%{http_code}' "$(operation)") &&
  [ "$status" = 200 ] && [ "$(jq -r .status "$answer.done")" = Running ]; do sleep 1; done
jq -r '.status, .error.detail // empty' "$answer.done"
[ "$status" = 303 ]
rm -f "$answer" "$answer.done"
