// The ten steps with the client of oapi-codegen: `oapi-codegen URL`.
package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"clients/api"
)

var (
	background               = context.Background()
	client                   *api.ClientWithResponses
	customer, order, product int64
	etag                     string
	image                    = append([]byte("\x89PNG"), bytes.Repeat([]byte("abc"), 100)...)
)

// wanted fails with what is wrong, unless all is right.
func wanted(err error, right bool, what any) error {
	if err == nil && !right {
		err = fmt.Errorf("unexpected: %v", what)
	}
	return err
}

func of[Value any](value Value) *Value { return &value }

func createCustomer() error {
	var body api.CustomersInput
	if err := body.FromCustomerInput(api.CustomerInput{Name: of("Generated")}); err != nil {
		return err
	}
	made, err := client.PostCustomersWithResponse(background, nil, body)
	if err != nil || made.JSON201 == nil {
		return wanted(err, false, made)
	}
	created, err := made.JSON201.AsCustomer()
	if err == nil {
		customer = *created.Id
	}
	return wanted(err, err == nil && *created.Name == "Generated", created)
}

func orderOf(quantity int64, value *float64) (api.OrdersInput, error) {
	body := api.OrderInput{Quantity: &quantity, OrderValue: value, CustomerId: &api.IntegerOrStringOrNull{}}
	var all api.OrdersInput
	if err := body.ProductId.FromIntegerOrString0(product); err != nil {
		return all, err
	}
	if err := body.CustomerId.FromIntegerOrStringOrNull0(customer); err != nil {
		return all, err
	}
	return all, all.FromOrderInput(body)
}

func createOrder() error {
	var mug api.ProductsInput
	if err := mug.FromProductInput(api.ProductInput{Name: of("Mug"), Price: of(10.0)}); err != nil {
		return err
	}
	stored, err := client.PostProductsWithResponse(background, nil, mug)
	if err != nil || stored.JSON201 == nil {
		return wanted(err, false, stored)
	}
	item, err := stored.JSON201.AsProduct()
	if err != nil {
		return err
	}
	product = *item.Id
	body, err := orderOf(2, nil)
	if err != nil {
		return err
	}
	made, err := client.PostOrdersWithResponse(background, nil, body)
	if err != nil || made.JSON201 == nil {
		return wanted(err, false, made)
	}
	created, err := made.JSON201.AsOrder()
	if err == nil {
		order = *created.OrderId
	}
	return wanted(err, err == nil && *created.OrderValue == 20, created)
}

func pay() error {
	paid, err := client.PostOrdersByIdPayWithResponse(background, order, nil)
	return wanted(err, err == nil && paid.JSON200 != nil && *paid.JSON200.Status == "paid", paid)
}

func change() error {
	read, err := client.GetCustomersByIdWithResponse(background, customer, nil)
	if err != nil {
		return err
	}
	etag = read.HTTPResponse.Header.Get("ETag")
	body := api.CustomerMergePatch{Name: of("Changed")}
	changed, err := client.PatchCustomersByIdWithApplicationMergePatchPlusJSONBodyWithResponse(background, customer, nil, body)
	return wanted(err, err == nil && changed.JSON200 != nil && *changed.JSON200.Name == "Changed", changed)
}

func upload() error {
	stored, err := client.PutProductsByIdProductImageWithBodyWithResponse(background, product, nil, "image/png", bytes.NewReader(image))
	return wanted(err, err == nil && stored.StatusCode() == http.StatusCreated, stored)
}

func download() error {
	first := &api.GetProductsByIdProductImageParams{Range: of("bytes=0-99")}
	read, err := client.GetProductsByIdProductImageWithResponse(background, product, first)
	if err != nil {
		return err
	}
	isImage := read.StatusCode() == http.StatusPartialContent && read.HTTPResponse.Header.Get("Content-Type") == "image/png"
	return wanted(nil, isImage && bytes.Equal(read.Body, image[:100]), len(read.Body))
}

func pages() error {
	limit := api.LimitParameter(1)
	first, err := client.GetCustomersWithResponse(background, &api.GetCustomersParams{Limit: &limit})
	if err != nil || first.JSON200 == nil {
		return wanted(err, false, first)
	}
	after := ""
	for _, link := range *first.JSON200.Links {
		if link.Rel == "next" {
			address, _ := url.Parse(link.Href)
			after = address.Query().Get("after")
		}
	}
	next := &api.GetCustomersParams{Limit: &limit, After: &after}
	second, err := client.GetCustomersWithResponse(background, next)
	if err != nil || second.JSON200 == nil {
		return wanted(err, false, second)
	}
	return wanted(nil, *first.JSON200.Items[0].Id != *second.JSON200.Items[0].Id, after)
}

func conflict() error {
	body := api.CustomerMergePatch{Name: of("Late")}
	condition := &api.PatchCustomersByIdParams{IfMatch: &etag}
	late, err := client.PatchCustomersByIdWithApplicationMergePatchPlusJSONBodyWithResponse(background, customer, condition, body)
	if err != nil || late.ApplicationproblemJSON412 == nil {
		return wanted(err, false, late)
	}
	return wanted(nil, late.ApplicationproblemJSON412.Type == "/problems/precondition-failed", late)
}

func later() error {
	preference := &api.DeleteCustomersByIdOrdersParams{Prefer: of("respond-async")}
	accepted, err := client.DeleteCustomersByIdOrdersWithResponse(background, customer, preference)
	if err != nil || accepted.JSON202 == nil {
		return wanted(err, false, accepted)
	}
	id := *accepted.JSON202.OperationId
	if accepted.HTTPResponse.Header.Get("Location") != fmt.Sprintf("/operations/%d", id) {
		return fmt.Errorf("unexpected: %v", accepted.HTTPResponse.Header)
	}
	for {
		operation, err := client.GetOperationsByIdWithResponse(background, id, nil)
		if err != nil || operation.JSON200 == nil {
			return wanted(err, false, operation)
		}
		if status := *operation.JSON200.Status; status != "NotStarted" && status != "Running" {
			return wanted(nil, status == "Succeeded" && operation.JSON200.Result.Status == 204, status)
		}
		time.Sleep(200 * time.Millisecond)
	}
}

func faults() error {
	body, err := orderOf(0, of(-1.0))
	if err != nil {
		return err
	}
	refused, err := client.PostOrdersWithResponse(background, nil, body)
	if err != nil || refused.ApplicationproblemJSON400 == nil {
		return wanted(err, false, refused)
	}
	found := []string{}
	for _, fault := range *refused.ApplicationproblemJSON400.Errors {
		found = append(found, *fault.Pointer)
	}
	return wanted(nil, strings.Join(found, " ") == "/orderValue /quantity", found)
}

func main() {
	var err error
	if client, err = api.NewClientWithResponses(os.Args[1]); err != nil {
		panic(err)
	}
	steps := []func() error{createCustomer, createOrder, pay, change, upload, download, pages, conflict, later, faults}
	for at, step := range steps {
		if err := step(); err != nil {
			fmt.Println(at+1, strings.ReplaceAll(err.Error(), "\n", " "))
		} else {
			fmt.Println(at+1, "ok")
		}
	}
}
