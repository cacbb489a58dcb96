#!/usr/bin/env bash
# Walks the request with curl: `walk.sh URL`. It works in the current folder.
set -u
base=$1
typed() { echo "Content-Type: $1"; }

# call STATUS PATH ARGUMENT...: sends a request and checks the status. The response is in the files `head` and `body`.
call() {
  local status=$1 path=$2 found
  shift 2
  : >head
  : >body
  found=$(curl -sS -D head -o body -w '%{http_code}' "$@" "$base$path" 2>errors)
  [ "$found" = "$status" ] || fail "$path $* got $found: $(head -c 300 body) $(cat errors)"
  [ "$status" -lt 400 ] || has 'application/problem+json' "$(field content-type)"
}
# made PATH ARGUMENT...: creates a resource. Its path is in `made`.
made() {
  call 201 "$@"
  made=$(field location)
}
# The functions below read the last response.
field() { grep -i "^$1:" head | tail -n 1 | sed 's/^[^:]*: *//' | tr -d '\r'; }
has() { [[ $2 == *"$1"* ]] || fail "no $1 in ${2:0:300}"; }
lacks() { [[ $2 != *"$1"* ]] || fail "$1 in ${2:0:300}"; }
shows() { has "$1" "$(cat body)"; }
same() { [ "$1" = "$2" ] || fail "${1:0:300} instead of ${2:0:300}"; }
counts() { same "$(grep -o "$1" body | wc -l)" "$2"; }
bytes() { cmp -s body "$1" && has "$2" "$(field content-type)" || fail "other bytes or not $2"; }
ids() { grep -oE "\"$1\":[0-9]+" body | sort -u | cut -d : -f 2; }
fail() { why="${why:-$*}"; }
ended() { ! grep -qE '"status":"(NotStarted|Running)"' body; }
# ends NAME: prints the result of the step that ends here.
ends() {
  [ -z "${why:-}" ] && echo "ok $1" || echo "not ok $1: ${why//$'\n'/ }"
  why=''
}

printf '\x89PNG\r\n\x1a\n\0\0\0\rIHDR' >photo.png
for _ in {1..300}; do printf 'a,b\r\n1,2\r\n'; done >curl.csv
head -c $((5 * 1048576)) < <(yes 0123456789abcdef | tr -d '\n') >large.bin
merge=$(typed application/merge-patch+json) patch=$(typed application/json-patch+json) xml=$(typed application/xml)

made /members --json '{"name":"Ada","age":36,"team":"A"}'
member=$made
call 200 '/members?limit=1000' && shows "$member"
call 200 "$member" && shows '"team":"A"'
call 200 "$member" -X PUT --json '{"name":"Bo","age":1}' && lacks team "$(cat body)"
call 200 "$member" -X PATCH -H "$merge" -d '{"age":null}' && lacks '"age"' "$(cat body)"
call 200 "$member" -X PATCH -H "$patch" -d '[{"op":"test","path":"/name","value":"Bo"},{"op":"add","path":"/age","value":2}]'
shows '"age":2'
call 200 "$member" --json '{"name":"Cy"}' && shows '"age":2'
call 204 "$member" -X DELETE
call 404 "$member"
ends 'a member from creation to deletion'
for collection in /members/new /members; do
  made $collection -d 'name=Ada+Byron' -d age=36
  call 200 "$made" && shows '"name":"Ada Byron"' && shows '"age":36'
done
call 200 "$made/edit" -d age=37 && shows '"age":37'
call 204 "$made/delete" -X POST
ends 'forms of a member'
made /members -F name=Ada -F photo=@photo.png
call 200 "$made?fields=photo" && bytes photo.png image/png
made /products --json '{"name":"Chair","price":20}'
image="$made?fields=productImage" product=${made##*/}
call 404 "$image"
call 201 "$image" -T photo.png
call 200 "$image" && bytes photo.png image/png
ends 'a photo of a member and an image of a product'
call 201 /files/curl.csv -T photo.png && same "$(field location)" /files/curl.csv
call 200 /files/curl.csv -T curl.csv
call 200 /files/curl.csv && bytes curl.csv text/csv
ends 'PUT creates and replaces a file'
printf 1 >curl-a.txt && printf 2 >curl-b.txt
made /files -F file=@curl-a.txt && same "$made" /files/curl-a.txt
made /files -F file=@curl-a.txt -F file=@curl-b.txt && same "$made" /files
for name in curl-a.txt curl-b.txt; do
  call 200 /files/$name && bytes $name text/plain
  call 204 /files/$name -X DELETE
done
ends 'one file and several files in a form'
for range in 0-3,0-3 2990-,2990-2999 -5,2995-2999; do
  call 206 /files/curl.csv -r "${range%,*}" && same "$(field content-range)" "bytes ${range#*,}/3000"
  first=${range#*,} && tail -c +$((${first%-*} + 1)) curl.csv | head -c "$(field content-length)" >part
  bytes part text/csv
done
call 416 /files/curl.csv -r 3000- && same "$(field content-range)" 'bytes */3000'
ends 'ranges of a file'
for file in curl.csv,text/csv large.bin,application/octet-stream; do
  call 200 "/files/${file%,*}" -I && same "$(field content-length)" "$(stat -c %s "${file%,*}")"
  same "$(field accept-ranges)" bytes && has '"' "$(field etag)" && has "${file#*,}" "$(field content-type)"
done
ends 'HEAD of a small and of a large file'
call 200 /files/large.bin -L && bytes large.bin application/octet-stream && has ' 307 ' "$(head -n 1 head)"
ends 'GET of a large file'
call 201 /customers --json '{"items":[{"name":"One"},{"name":"Two"}]}'
mapfile -t customers < <(ids id)
sed -E 's/"name":"(One|Two)"/"name":"\1!"/g' body >changed
call 200 /customers -X PUT --json @changed
for id in "${customers[@]}"; do call 200 "/customers/$id" && shows '!"'; done
call 405 "/customers/${customers[0]}" --json '{"name":"Three"}'
has PUT "$(field allow)" && lacks POST "$(field allow)"
ends 'customers in bulk'
made /customers --json '{"name":"Acme"}'
customer=$made
for value in 30 10 20.5; do
  made "$customer/orders" --json "{\"productId\":$product,\"quantity\":2,\"orderValue\":$value}"
done
order=$made
call 200 "$customer/orders" && sed 's/"quantity":2/"quantity":3/g' body >changed
call 200 "$customer/orders" -X PUT --json @changed
call 200 "$customer/orders" && counts '"quantity":3' 3
ends 'orders of a customer'
call 200 "$customer/orders?minCost=20.5" && counts '"orderValue":' 2
call 200 '/orders?minCost=20.5' && lacks '"orderValue":10,' "$(cat body)" && shows '"orderValue":20.5,'
call 200 "$customer/orders?sort=-orderValue&limit=1&offset=1&fields=orderValue"
shows "\"items\":[{\"orderId\":${order##*/},\"orderValue\":20.5}]"
ends 'queries'
call 200 "$order/customer" && shows '"name":"Acme"'
call 200 "$order/products" && shows '"name":"Chair"'
ends 'relations of an order'
call 200 "$order"
for action in pay,paid place,placed complete,completed; do
  href=$(grep -oE "\"rel\":\"${action%,*}\",\"href\":\"[^\"]*" body | sed 's/.*"//')
  call 200 "$href" -X POST && shows "\"status\":\"${action#*,}\""
done
call 409 "$order/cancel" -X POST
call 204 "$customer/orders" -X DELETE
call 200 "$customer/orders" && shows '"items":[]'
ends 'the process of an order'
call 200 "$customer" && etag=$(field etag)
call 304 "$customer" -H "If-None-Match: $etag"
call 200 "$customer" -X PUT -H "If-Match: $etag" --json '{"name":"New"}'
call 412 "$customer" -X PUT -H "If-Match: $etag" --json '{"name":"Newer"}'
call 412 /files/curl.csv -T curl.csv -H 'If-None-Match: *'
ends 'conditional requests'
made /members -H "$xml" -d '<member><name>Ada</name><age>36</age></member>'
call 200 "$made" -H 'Accept: application/xml' && shows '<name>Ada</name>' && shows '<age>36</age>'
ends 'XML'
call 404 /nothing
call 415 /members -H "$(typed application/yaml)" -d 'name: Ada'
call 415 /members -H 'Content-Type:' -d '{"name":"Ada"}'
call 400 /members --json '{"name":'
call 400 /members --json '{"age":"old"}'
ends 'errors'
call 202 /members -H 'Prefer: respond-async' --json '{"name":"Later"}'
status=$(field location)
# curl -L follows the 303 to the member. While the operation runs, its status has no name.
until call 200 "$status" -L && ended; do sleep 0.2; done
has ' 303 ' "$(head -n 1 head)" && shows '"name":"Later"'
call 202 "$customer" -X DELETE -H 'Prefer: respond-async'
status=$(field location)
until call 200 "$status" && ended; do sleep 0.2; done
shows '"status":"Succeeded"'
ends 'an asynchronous request'
call 200 '/add?operand1=0.1&operand2=0.2' && shows '"sum":0.3}'
ends 'a sum'
