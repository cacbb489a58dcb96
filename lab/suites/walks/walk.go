// Walks the request with the standard library of Go: `go run walk.go URL`.
package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

type object = map[string]any

// answer is a response with its whole body. JSON is its body as an object.
type answer struct {
	*http.Response
	body []byte
	json object
}

var (
	png   = []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
	rows  = bytes.Repeat([]byte("a,b\r\n1,2\r\n"), 300)
	large = bytes.Repeat([]byte("0123456789abcdef"), 5*65536)
)

func step(name string, body func()) {
	defer func() {
		if why := recover(); why != nil {
			fmt.Printf("not ok %s: %s\n", name, strings.ReplaceAll(fmt.Sprint(why), "\n", " "))
		} else {
			fmt.Println("ok", name)
		}
	}()
	body()
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func same(found, expected any) {
	if was, wanted := fmt.Sprint(found), fmt.Sprint(expected); was != wanted {
		panic(fmt.Sprintf("%.300s instead of %.300s", was, wanted))
	}
}

// call sends a request with the defaults of net/http and checks the status. Fields are names and values in turn.
func call(status int, method, path string, body any, fields ...string) answer {
	var reader io.Reader
	switch given := body.(type) {
	case string:
		reader = strings.NewReader(given)
	case []byte:
		reader = bytes.NewReader(given)
	case url.Values:
		reader, fields = strings.NewReader(given.Encode()), append(fields, "Content-Type", "application/x-www-form-urlencoded")
	case object:
		reader, fields = bytes.NewReader(must(json.Marshal(given))), append(fields, "Content-Type", "application/json")
	}
	request := must(http.NewRequest(method, os.Args[1]+path, reader))
	for at := 0; at < len(fields); at += 2 {
		request.Header.Set(fields[at], fields[at+1])
	}
	response := must(http.DefaultClient.Do(request))
	defer response.Body.Close()
	found := answer{Response: response, body: must(io.ReadAll(response.Body))}
	if response.StatusCode != status {
		panic(fmt.Sprintf("%s %s got %d: %.300s", method, path, response.StatusCode, found.body))
	}
	if status >= 400 {
		same(found.Header.Get("Content-Type"), "application/problem+json")
	}
	_ = json.Unmarshal(found.body, &found.json)
	return found
}

func get(path string, fields ...string) answer { return call(200, "GET", path, nil, fields...) }

func made(path string, body any, fields ...string) string {
	return call(201, "POST", path, body, fields...).Header.Get("Location")
}

// items are the items of a list, or of the result of a bulk request.
func items(list answer) (found []object) {
	for _, one := range list.json["items"].([]any) {
		found = append(found, one.(object))
	}
	return found
}

func each(list []object, name string) (found []any) {
	for _, one := range list {
		found = append(found, one[name])
	}
	return found
}

// idOf is the last segment of a path. A decoded number of JSON has another format.
func idOf(path string) string { return path[strings.LastIndex(path, "/")+1:] }

func number(value any) string { return fmt.Sprintf("%.0f", value) }

// upload is a form with files, as CreateFormFile writes it, and the field of its media type.
func upload(part string, content []byte, names ...string) (body []byte, field, mediaType string) {
	var buffer bytes.Buffer
	form := multipart.NewWriter(&buffer)
	for _, name := range names {
		must(must(form.CreateFormFile(part, name)).Write(content))
	}
	form.Close()
	return buffer.Bytes(), "Content-Type", form.FormDataContentType()
}

func withBytes(found answer, body []byte, mediaType string) {
	same(bytes.Equal(found.body, body), true)
	same(strings.Split(found.Header.Get("Content-Type"), ";")[0], mediaType)
}

func main() {
	var image, customer, order string
	file := "/files/go.csv"
	step("a member from creation to deletion", func() {
		path := made("/members", object{"name": "Ada", "age": 36, "team": "A"})
		same(strings.Contains(string(get("/members?limit=1000").body), path), true)
		same(get(path).json["team"], "A")
		same(call(200, "PUT", path, object{"name": "Bo", "age": 1}).json["team"], nil)
		same(call(200, "PATCH", path, `{"age":null}`, "Content-Type", "application/merge-patch+json").json["age"], nil)
		patch := `[{"op":"test","path":"/name","value":"Bo"},{"op":"add","path":"/age","value":2}]`
		same(call(200, "PATCH", path, patch, "Content-Type", "application/json-patch+json").json["age"], 2)
		same(call(200, "POST", path, object{"name": "Cy"}).json["age"], 2)
		same(len(call(204, "DELETE", path, nil).body), 0)
		call(404, "GET", path, nil)
	})
	step("forms of a member", func() {
		var path string
		for _, collection := range []string{"/members/new", "/members"} {
			path = made(collection, url.Values{"name": {"Ada Byron"}, "age": {"36"}})
			found := get(path).json
			same([]any{found["name"], found["age"]}, []any{"Ada Byron", 36})
		}
		same(call(200, "POST", path+"/edit", url.Values{"age": {"37"}}).json["age"], 37)
		call(204, "POST", path+"/delete", nil)
	})
	step("a photo of a member and an image of a product", func() {
		body, field, mediaType := upload("photo", png, "photo")
		photo := made("/members", body, field, mediaType) + "?fields=photo"
		image = made("/products", object{"name": "Chair", "price": 20}) + "?fields=productImage"
		call(404, "GET", image, nil)
		call(201, "PUT", image, png)
		withBytes(get(photo), png, "image/png")
		withBytes(get(image), png, "image/png")
	})
	step("PUT creates and replaces a file", func() {
		same(call(201, "PUT", file, "old").Header.Get("Location"), file)
		call(200, "PUT", file, rows)
		withBytes(get(file), rows, "text/csv")
	})
	step("one file and several files in a form", func() {
		body, field, mediaType := upload("file", []byte("1"), "go-a.txt")
		same(made("/files", body, field, mediaType), "/files/go-a.txt")
		body, field, mediaType = upload("file", []byte("2"), "go-a.txt", "go-b.txt")
		same(made("/files", body, field, mediaType), "/files")
		for _, path := range []string{"/files/go-a.txt", "/files/go-b.txt"} {
			withBytes(get(path), []byte("2"), "text/plain")
			call(204, "DELETE", path, nil)
		}
	})
	step("ranges of a file", func() {
		for asked, found := range map[string][2]int{"0-3": {0, 3}, "2990-": {2990, 2999}, "-5": {2995, 2999}} {
			part := call(206, "GET", file, nil, "Range", "bytes="+asked)
			withBytes(part, rows[found[0]:found[1]+1], "text/csv")
			same(part.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-%d/3000", found[0], found[1]))
		}
		same(call(416, "GET", file, nil, "Range", "bytes=3000-").Header.Get("Content-Range"), "bytes */3000")
	})
	step("HEAD of a small and of a large file", func() {
		for _, one := range [][]any{{file, len(rows), "text/csv"}, {"/files/large.bin", len(large), "application/octet-stream"}} {
			found := call(200, "HEAD", one[0].(string), nil)
			same([]any{found.ContentLength, found.Header.Get("Accept-Ranges")}, []any{one[1], "bytes"})
			same(strings.Split(found.Header.Get("Content-Type"), ";")[0], one[2])
			same(found.Header.Get("ETag")[:1], `"`)
		}
	})
	step("GET of a large file", func() {
		found := get("/files/large.bin")
		same(found.Request.Response.StatusCode, 307)
		same(bytes.Equal(found.body, large), true)
	})
	step("customers in bulk", func() {
		created := items(call(201, "POST", "/customers", object{"items": []object{{"name": "One"}, {"name": "Two"}}}))
		for _, one := range created {
			one["name"] = fmt.Sprint(one["name"], "!")
		}
		call(200, "PUT", "/customers", object{"items": created})
		for _, one := range created {
			same(get("/customers/" + number(one["id"])).json["name"], one["name"])
		}
		allow := call(405, "POST", "/customers/"+number(created[0]["id"]), object{"name": "Three"}).Header.Get("Allow")
		same([]any{strings.Contains(allow, "PUT"), strings.Contains(allow, "POST")}, []any{true, false})
	})
	step("orders of a customer", func() {
		customer = made("/customers", object{"name": "Acme"})
		product, _, _ := strings.Cut(idOf(image), "?")
		for _, value := range []float64{30, 10, 20.5} {
			order = made(customer+"/orders", object{"productId": json.Number(product), "quantity": 2, "orderValue": value})
		}
		orders := items(get(customer + "/orders"))
		for _, one := range orders {
			one["quantity"] = 3
		}
		call(200, "PUT", customer+"/orders", object{"items": orders})
		same(each(items(get(customer+"/orders")), "quantity"), []int{3, 3, 3})
	})
	step("queries", func() {
		same(len(items(get(customer+"/orders?minCost=20.5"))), 2)
		for _, value := range each(items(get("/orders?minCost=20.5")), "orderValue") {
			same(value.(float64) >= 20.5, true)
		}
		page := items(get(customer + "/orders?sort=-orderValue&limit=1&offset=1&fields=orderValue"))
		same([]any{len(page), len(page[0]), page[0]["orderValue"], number(page[0]["orderId"])}, []any{1, 2, 20.5, idOf(order)})
	})
	step("relations of an order", func() {
		same(get(order + "/customer").json["name"], "Acme")
		same(each(items(get(order+"/products")), "name"), []string{"Chair"})
	})
	step("the process of an order", func() {
		found := get(order)
		for _, one := range [][2]string{{"pay", "paid"}, {"place", "placed"}, {"complete", "completed"}} {
			href := ""
			for _, link := range found.json["links"].([]any) {
				if link.(object)["rel"] == one[0] {
					href = link.(object)["href"].(string)
				}
			}
			found = call(200, "POST", href, nil)
			same(found.json["status"], one[1])
		}
		call(409, "POST", order+"/cancel", nil)
		call(204, "DELETE", customer+"/orders", nil)
		same(len(items(get(customer+"/orders"))), 0)
	})
	step("conditional requests", func() {
		etag := get(customer).Header.Get("ETag")
		same(len(call(304, "GET", customer, nil, "If-None-Match", etag).body), 0)
		call(200, "PUT", customer, object{"name": "New"}, "If-Match", etag)
		call(412, "PUT", customer, object{"name": "Newer"}, "If-Match", etag)
		call(412, "PUT", file, "new", "If-None-Match", "*")
	})
	step("XML", func() {
		path := made("/members", "<member><name>Ada</name><age>36</age></member>", "Content-Type", "application/xml")
		var member struct {
			Name string `xml:"name"`
			Age  int    `xml:"age"`
		}
		found := get(path, "Accept", "application/xml")
		must(0, xml.Unmarshal(found.body, &member))
		same([]any{member.Name, member.Age}, []any{"Ada", 36})
	})
	step("errors", func() {
		call(404, "GET", "/nothing", nil)
		call(415, "POST", "/members", "name: Ada", "Content-Type", "application/yaml")
		call(415, "POST", "/members", `{"name":"Ada"}`)
		call(400, "POST", "/members", `{"name":`, "Content-Type", "application/json")
		call(400, "POST", "/members", object{"age": "old"})
	})
	step("an asynchronous request", func() {
		finished := func(status string) (found answer) {
			for found = get(status); found.json["status"] == "NotStarted" || found.json["status"] == "Running"; found = get(status) {
				time.Sleep(200 * time.Millisecond)
			}
			return found
		}
		created := finished(call(202, "POST", "/members", object{"name": "Later"}, "Prefer", "respond-async").Header.Get("Location"))
		same([]any{created.Request.Response.StatusCode, created.json["name"]}, []any{303, "Later"})
		removed := finished(call(202, "DELETE", customer, nil, "Prefer", "respond-async").Header.Get("Location"))
		same(removed.json["status"], "Succeeded")
	})
	step("a sum", func() {
		same(get("/add?operand1=0.1&operand2=0.2").json["sum"], 0.3)
	})
}
