// Sends requests with the defaults of net/http. Each line of stdin is a request in JSON, and each line of stdout its
// response.
package main

import (
	"bytes"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"strings"
)

type request struct {
	Method, URL string
	Headers     map[string]string
	JSON        json.RawMessage
	Form        map[string]string
	Files       []struct {
		Part, Name string
		Content    []byte
	}
	Body []byte
}

type answer struct {
	Status    int               `json:"status"`
	Headers   map[string]string `json:"headers"`
	Redirects []int             `json:"redirects"`
	Body      []byte            `json:"body"`
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// content is the body of a request and its media type, which is empty if the caller names one.
func content(sent request) (io.Reader, string) {
	switch {
	case sent.JSON != nil:
		return bytes.NewReader(sent.JSON), "application/json"
	case sent.Form != nil:
		values := url.Values{}
		for name, value := range sent.Form {
			values.Set(name, value)
		}
		return strings.NewReader(values.Encode()), "application/x-www-form-urlencoded"
	case sent.Files != nil:
		var buffer bytes.Buffer
		form := multipart.NewWriter(&buffer)
		for _, file := range sent.Files {
			must(must(form.CreateFormFile(file.Part, file.Name)).Write(file.Content))
		}
		form.Close()
		return &buffer, form.FormDataContentType()
	case sent.Body != nil:
		return bytes.NewReader(sent.Body), ""
	}
	return nil, ""
}

func main() {
	requests, answers := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for requests.More() {
		var sent request
		must(0, requests.Decode(&sent))
		reader, mediaType := content(sent)
		outgoing := must(http.NewRequest(sent.Method, sent.URL, reader))
		if mediaType != "" {
			outgoing.Header.Set("Content-Type", mediaType)
		}
		for name, value := range sent.Headers {
			outgoing.Header.Set(name, value)
		}
		response := must(http.DefaultClient.Do(outgoing))
		found := answer{Status: response.StatusCode, Headers: map[string]string{}, Redirects: []int{}}
		found.Body = must(io.ReadAll(response.Body))
		response.Body.Close()
		for name := range response.Header {
			found.Headers[strings.ToLower(name)] = response.Header.Get(name)
		}
		for before := response.Request.Response; before != nil; before = before.Request.Response {
			found.Redirects = append([]int{before.StatusCode}, found.Redirects...)
		}
		must(0, answers.Encode(found))
	}
}
