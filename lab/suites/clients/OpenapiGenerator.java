import java.io.File;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.concurrent.Callable;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.ApiResponse;
import org.openapitools.client.api.CustomersApi;
import org.openapitools.client.api.OperationsApi;
import org.openapitools.client.api.OrdersApi;
import org.openapitools.client.api.ProductsApi;
import org.openapitools.client.model.*;

/** The ten steps with the client that openapi-generator makes for Java (native): {@code OpenapiGenerator URL}. */
public final class OpenapiGenerator {
    private static final byte[] IMAGE = new byte[300];
    private static ApiClient client;
    private static CustomersApi customers;
    private static OrdersApi orders;
    private static ProductsApi products;
    private static OperationsApi operations;
    private static Long customer;
    private static Long order;
    private static Long product;
    private static String etag;

    private static void wanted(boolean right, Object what) {
        if (!right) throw new IllegalStateException("unexpected: " + what);
    }

    private static String header(ApiResponse<?> response, String name) {
        return response.getHeaders().get(name).get(0);
    }

    private static Object createCustomer() throws ApiException {
        CustomersInput body = new CustomersInput(new CustomerInput().name("Generated"));
        Customer created = customers.postCustomers(body, null, null).getCustomer();
        customer = created.getId();
        wanted("Generated".equals(created.getName()), created);
        return created;
    }

    private static Object createOrder() throws ApiException {
        ProductsInput mug = new ProductsInput(new ProductInput().name("Mug").price(10.0));
        product = products.postProducts(mug, null, null).getProduct().getId();
        OrderInput body = new OrderInput().customerId(new IntegerOrStringOrNull(customer))
            .productId(new IntegerOrString(product)).quantity(2L);
        Order created = orders.postOrders(new OrdersInput(body), null, null).getOrder();
        order = created.getOrderId();
        wanted(created.getOrderValue() == 20, created);
        return created;
    }

    private static Object pay() throws ApiException {
        Order paid = orders.postOrdersByIdPay(order, null, null, null);
        wanted("paid".equals(paid.getStatus().getValue()), paid);
        return paid;
    }

    private static Object change() throws ApiException {
        etag = header(customers.getCustomersByIdWithHttpInfo(customer, null, null), "etag");
        CustomerMergePatch body = new CustomerMergePatch().name("Changed");
        Customer changed = customers.patchCustomersById(customer, body, null, null, null);
        wanted("Changed".equals(changed.getName()), changed);
        return changed;
    }

    private static Object upload() throws Exception {
        File file = File.createTempFile("image", ".png");
        Files.write(file.toPath(), IMAGE);
        ApiResponse<Product> stored = products.putProductsByIdProductImageWithHttpInfo(product, file, null, null, null);
        wanted(stored.getStatusCode() == 201, stored.getStatusCode());
        wanted(stored.getData().getProductImage().getSize() == IMAGE.length, stored.getData().getProductImage());
        return stored;
    }

    private static Object download() throws Exception {
        URI address = URI.create(client.getBaseUri() + "/products/" + product + "/productImage");
        HttpRequest store = HttpRequest.newBuilder(address).header("Content-Type", "image/png")
            .PUT(HttpRequest.BodyPublishers.ofByteArray(IMAGE)).build();
        client.getHttpClient().send(store, HttpResponse.BodyHandlers.discarding());
        ApiResponse<File> read = products.getProductsByIdProductImageWithHttpInfo(product, null, "bytes=0-99");
        byte[] found = Files.readAllBytes(read.getData().toPath());
        wanted(read.getStatusCode() == 206 && "image/png".equals(header(read, "content-type")), read.getStatusCode());
        wanted(Arrays.equals(found, Arrays.copyOf(IMAGE, 100)), found.length);
        return read;
    }

    private static Customers page(String after) throws ApiException {
        return customers.getCustomers(1, null, after, null, null, null, null, null, null, null, null, null, null, null,
            null, null, null, null);
    }

    private static Object pages() throws ApiException {
        Customers first = page(null);
        String href = first.getLinks().stream().filter(link -> "next".equals(link.getRel())).findFirst().get().getHref();
        Customers second = page(href.replaceFirst(".*[?&]after=", "").replaceFirst("&.*", ""));
        wanted(!first.getItems().get(0).getId().equals(second.getItems().get(0).getId()), href);
        return second;
    }

    private static Problem refusal(int status, Callable<?> request) throws Exception {
        try {
            request.call();
        } catch (ApiException refused) {
            wanted(refused.getCode() == status, refused.getCode());
            return ApiClient.createDefaultObjectMapper().readValue(refused.getResponseBody(), Problem.class);
        }
        throw new IllegalStateException("the request is not refused");
    }

    private static Object conflict() throws Exception {
        CustomerMergePatch body = new CustomerMergePatch().name("Late");
        Problem late = refusal(412, () -> customers.patchCustomersById(customer, body, etag, null, null));
        wanted("/problems/precondition-failed".equals(late.getType()), late);
        return late;
    }

    private static Object later() throws Exception {
        ApiResponse<Operation> accepted = orders.deleteCustomersByIdOrdersWithHttpInfo(customer, null, "respond-async");
        Operation operation = accepted.getData();
        wanted(accepted.getStatusCode() == 202, accepted.getStatusCode());
        wanted(header(accepted, "location").equals("/operations/" + operation.getOperationId()), operation);
        while (Arrays.asList("NotStarted", "Running").contains(operation.getStatus())) {
            Thread.sleep(200);
            operation = operations.getOperationsById(operation.getOperationId(), null, null, null);
        }
        wanted("Succeeded".equals(operation.getStatus()) && operation.getResult().getStatus() == 204, operation);
        return operation;
    }

    private static Object faults() throws Exception {
        OrderInput body = new OrderInput().productId(new IntegerOrString(product)).quantity(0L).orderValue(-1.0);
        Problem refused = refusal(400, () -> orders.postOrders(new OrdersInput(body), null, null));
        StringBuilder found = new StringBuilder();
        for (Fault fault : refused.getErrors()) found.append(fault.getPointer()).append(' ');
        wanted("/orderValue /quantity ".contentEquals(found), found);
        return found;
    }

    public static void main(String[] arguments) {
        for (int at = 0; at < IMAGE.length; at += 1) IMAGE[at] = (byte) (at < 4 ? "\u0089PNG".charAt(at) : at);
        client = new ApiClient();
        client.updateBaseUri(arguments[0]);
        customers = new CustomersApi(client);
        orders = new OrdersApi(client);
        products = new ProductsApi(client);
        operations = new OperationsApi(client);
        Callable<?>[] steps = {OpenapiGenerator::createCustomer, OpenapiGenerator::createOrder, OpenapiGenerator::pay,
            OpenapiGenerator::change, OpenapiGenerator::upload, OpenapiGenerator::download, OpenapiGenerator::pages,
            OpenapiGenerator::conflict, OpenapiGenerator::later, OpenapiGenerator::faults};
        for (int at = 0; at < steps.length; at += 1) {
            try {
                steps[at].call();
                System.out.println((at + 1) + " ok");
            } catch (Exception error) {
                System.out.println((at + 1) + " " + String.valueOf(error).replace('\n', ' '));
            }
        }
    }
}
