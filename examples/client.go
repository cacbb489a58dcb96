// What most clients need: conditional writes, repeated requests, pages, files and long work, with net/http.
// go run client.go http://127.0.0.1:3000
package main

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

var service = os.Args[1]

// problem is what the service says about a refusal (RFC 9457).
type problem struct {
	Status        int
	Title, Detail string
}

func (p problem) Error() string { return fmt.Sprintf("%d %s: %s", p.Status, p.Title, p.Detail) }

type headers map[string]string

// send sends a request, and reads the JSON of its response into result, unless result is nil.
func send(method, path, body string, fields headers, result any) (http.Header, error) {
	request, err := http.NewRequest(method, service+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, value := range fields {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode >= 400 {
		var refused problem
		if err := json.NewDecoder(response.Body).Decode(&refused); err != nil {
			return nil, err
		}
		return nil, refused
	}
	if text, ok := result.(*string); ok {
		bytes, err := io.ReadAll(response.Body)
		*text = string(bytes)
		return response.Header, err
	}
	if result != nil {
		err = json.NewDecoder(response.Body).Decode(result)
	}
	return response.Header, err
}

// create creates an item once, although the connection may break: a request with the same key has one effect.
func create(path, body string) (string, error) {
	key := make([]byte, 16)
	if _, err := rand.Read(key); err != nil {
		return "", err
	}
	fields := headers{"Content-Type": "application/json", "Idempotency-Key": fmt.Sprintf("%x", key)}
	for attempt := 1; ; attempt++ {
		header, err := send("POST", path, body, fields, nil)
		if refused := new(problem); err == nil {
			return header.Get("Location"), nil
		} else if errors.As(err, refused) || attempt == 3 {
			return "", err
		}
	}
}

// rename changes an item. It reads the item again if another client was faster (412).
func rename(path, name string) error {
	for {
		header, err := send("GET", path, "", nil, nil)
		if err != nil {
			return err
		}
		fields := headers{"Content-Type": "application/merge-patch+json", "If-Match": header.Get("ETag")}
		_, err = send("PATCH", path, fmt.Sprintf(`{"name":%q}`, name), fields, nil)
		if refused := new(problem); !errors.As(err, refused) || refused.Status != 412 {
			return err
		}
	}
}

type list struct {
	Items []struct{ OrderId int }
	Links []struct{ Rel, Href string }
}

// walk calls use with each page of a list.
func walk(path string, use func(list)) error {
	for path != "" {
		var page list
		if _, err := send("GET", path, "", nil, &page); err != nil {
			return err
		}
		use(page)
		path = ""
		for _, link := range page.Links {
			if link.Rel == "next" {
				path = link.Href
			}
		}
	}
	return nil
}

// finish waits for the end of long work. Each request waits for up to 20 s.
func finish(path string) (string, error) {
	for {
		var operation struct{ Status string }
		_, err := send("GET", path, "", headers{"Prefer": "wait=20"}, &operation)
		if err != nil || operation.Status != "NotStarted" && operation.Status != "Running" {
			return operation.Status, err
		}
	}
}

func run() error {
	customer, err := create("/customers", `{"name":"Acme"}`)
	if err != nil {
		return err
	}
	if err = rename(customer, "Acme from Go"); err != nil {
		return err
	}
	fmt.Println("customer", customer)
	order, err := create(customer+"/orders", `{"productId":1,"orderValue":9.9}`)
	if err != nil {
		return err
	}
	err = walk(customer+"/orders?limit=1", func(page list) { fmt.Println("orders", page.Items) })
	if err != nil {
		return err
	}
	if _, err = send("PUT", "/files/go.txt", "hello from Go", headers{"Content-Type": "text/plain"}, nil); err != nil {
		return err
	}
	var bytes string
	if _, err = send("GET", "/files/go.txt", "", headers{"Range": "bytes=0-4"}, &bytes); err != nil {
		return err
	}
	fmt.Println("bytes", bytes)
	accepted, err := send("POST", order+"/pay", "", headers{"Prefer": "respond-async"}, nil)
	if err != nil {
		return err
	}
	status, err := finish(accepted.Get("Location"))
	if err != nil {
		return err
	}
	fmt.Println("payment", status)
	if _, err = send("DELETE", customer, "", headers{"If-Match": `"older"`}, nil); err != nil {
		fmt.Println("refused", err)
	}
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
