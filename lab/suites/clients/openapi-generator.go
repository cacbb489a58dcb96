// The ten steps with the client that openapi-generator makes for Go: `openapi-generator URL`.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	api "github.com/GIT_USER_ID/GIT_REPO_ID"
)

var (
	background               = context.Background()
	client                   *api.APIClient
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

func createCustomer() error {
	body := api.CustomersInput{CustomerInput: api.NewCustomerInput()}
	body.CustomerInput.SetName("Generated")
	created, _, err := client.CustomersAPI.PostCustomers(background).CustomersInput(body).Execute()
	if err != nil {
		return err
	}
	customer = created.Customer.Id
	return wanted(nil, created.Customer.GetName() == "Generated", created)
}

func createOrder() error {
	mug := api.NewProductInput()
	mug.SetName("Mug")
	mug.SetPrice(10)
	made, _, err := client.ProductsAPI.PostProducts(background).ProductsInput(api.ProductsInput{ProductInput: mug}).Execute()
	if err != nil {
		return err
	}
	product = made.Product.Id
	body := api.NewOrderInput(api.Int64AsIntegerOrString(&product))
	body.SetCustomerId(api.Int64AsIntegerOrStringOrNull(&customer))
	body.SetQuantity(2)
	created, _, err := client.OrdersAPI.PostOrders(background).OrdersInput(api.OrdersInput{OrderInput: body}).Execute()
	if err != nil {
		return err
	}
	order = created.Order.OrderId
	return wanted(nil, created.Order.GetOrderValue() == 20, created.Order)
}

func pay() error {
	paid, _, err := client.OrdersAPI.PostOrdersByIdPay(background, order).Execute()
	return wanted(err, err == nil && paid.GetStatus() == "paid", paid)
}

func change() error {
	_, read, err := client.CustomersAPI.GetCustomersById(background, customer).Execute()
	if err != nil {
		return err
	}
	etag = read.Header.Get("ETag")
	body := api.NewCustomerMergePatch()
	body.SetName("Changed")
	changed, _, err := client.CustomersAPI.PatchCustomersById(background, customer).CustomerMergePatch(*body).Execute()
	return wanted(err, err == nil && changed.GetName() == "Changed", changed)
}

func upload() error {
	file, err := os.CreateTemp("", "image")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	if _, err = file.Write(image); err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return err
	}
	_, stored, err := client.ProductsAPI.PutProductsByIdProductImage(background, product).Body(file).Execute()
	return wanted(err, stored != nil && stored.StatusCode == http.StatusCreated, stored)
}

func download() error {
	file, read, err := client.ProductsAPI.GetProductsByIdProductImage(background, product).Range_("bytes=0-99").Execute()
	if err != nil {
		return err
	}
	found, err := io.ReadAll(file)
	isImage := read.StatusCode == http.StatusPartialContent && read.Header.Get("Content-Type") == "image/png"
	return wanted(err, isImage && bytes.Equal(found, image[:100]), len(found))
}

func pages() error {
	first, _, err := client.CustomersAPI.GetCustomers(background).Limit(1).Execute()
	if err != nil {
		return err
	}
	after := ""
	for _, link := range first.Links {
		if link.Rel == "next" {
			address, _ := url.Parse(link.Href)
			after = address.Query().Get("after")
		}
	}
	second, _, err := client.CustomersAPI.GetCustomers(background).Limit(1).After(after).Execute()
	return wanted(err, err == nil && after != "" && first.Items[0].Id != second.Items[0].Id, second)
}

// problemOf gives the problem of a refused request.
func problemOf(err error) (api.Problem, error) {
	var refused *api.GenericOpenAPIError
	if !errors.As(err, &refused) {
		return api.Problem{}, fmt.Errorf("not refused: %v", err)
	}
	problem, ok := refused.Model().(api.Problem)
	return problem, wanted(nil, ok, refused.Model())
}

func conflict() error {
	body := api.NewCustomerMergePatch()
	body.SetName("Late")
	_, late, err := client.CustomersAPI.PatchCustomersById(background, customer).CustomerMergePatch(*body).IfMatch(etag).Execute()
	problem, err := problemOf(err)
	isLate := late != nil && late.StatusCode == http.StatusPreconditionFailed
	return wanted(err, isLate && problem.Type == "/problems/precondition-failed", problem)
}

func later() error {
	operation, accepted, err := client.OrdersAPI.DeleteCustomersByIdOrders(background, customer).Prefer("respond-async").Execute()
	if err != nil {
		return err
	}
	place := fmt.Sprintf("/operations/%d", operation.OperationId)
	if accepted.StatusCode != http.StatusAccepted || accepted.Header.Get("Location") != place {
		return fmt.Errorf("unexpected: %v", accepted)
	}
	for operation.GetStatus() == "NotStarted" || operation.GetStatus() == "Running" {
		time.Sleep(200 * time.Millisecond)
		operation, _, err = client.OperationsAPI.GetOperationsById(background, operation.OperationId).Execute()
		if err != nil {
			return err
		}
	}
	return wanted(nil, operation.GetStatus() == "Succeeded" && operation.Result.Status == 204, operation.GetStatus())
}

func faults() error {
	body := api.NewOrderInput(api.Int64AsIntegerOrString(&product))
	body.SetQuantity(0)
	body.SetOrderValue(-1)
	_, _, err := client.OrdersAPI.PostOrders(background).OrdersInput(api.OrdersInput{OrderInput: body}).Execute()
	problem, err := problemOf(err)
	found := []string{}
	for _, fault := range problem.Errors {
		found = append(found, fault.GetPointer())
	}
	return wanted(err, strings.Join(found, " ") == "/orderValue /quantity", found)
}

func main() {
	configuration := api.NewConfiguration()
	configuration.Servers = api.ServerConfigurations{{URL: os.Args[1]}}
	client = api.NewAPIClient(configuration)
	steps := []func() error{createCustomer, createOrder, pay, change, upload, download, pages, conflict, later, faults}
	for at, step := range steps {
		if err := step(); err != nil {
			fmt.Println(at+1, strings.ReplaceAll(err.Error(), "\n", " "))
		} else {
			fmt.Println(at+1, "ok")
		}
	}
}
