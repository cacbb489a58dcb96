import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;

/**
 * Sends requests with the defaults of HttpURLConnection, which up to Java 18 accepts `text/html` first, calls every content a
 * form, and knows no PATCH. `Connection URL`.
 */
class Connection {
  static String base;

  static void wanted(boolean right, String what) {
    if (!right) throw new IllegalStateException(what);
  }

  /** Sends a request, and returns the content of the response. `type`: the media type of the content; null: the default. */
  static String call(int status, String method, String path, String type, String content) throws Exception {
    HttpURLConnection connection = (HttpURLConnection) new URL(base + path).openConnection();
    connection.setRequestMethod(method);
    if (type != null) connection.setRequestProperty("Content-Type", type);
    if (content != null) {
      connection.setDoOutput(true);
      try (OutputStream out = connection.getOutputStream()) {
        out.write(content.getBytes(StandardCharsets.UTF_8));
      }
    }
    int got = connection.getResponseCode();
    InputStream in = got < 400 ? connection.getInputStream() : connection.getErrorStream();
    String text = in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
    wanted(got == status, method + " " + path + ": " + got + " " + text);
    String location = connection.getHeaderField("Location");
    return location == null ? text : location;
  }

  public static void main(String[] args) throws Exception {
    base = args[0];
    String json = "application/json";
    wanted(call(200, "GET", "/customers", null, null).startsWith("{"), "The list is not JSON");
    String customer = call(201, "POST", "/customers", json, "{\"name\":\"Zoë\"}");
    wanted(call(200, "GET", customer, null, null).contains("\"Zoë\""), "The customer has another name");
    call(200, "PUT", customer, json, "{\"name\":\"New\"}");
    String form = call(201, "POST", "/customers", null, "name=Ada+Byron");
    wanted(call(200, "GET", form, null, null).contains("Ada Byron"), "The form has another name");
    wanted(call(400, "POST", "/customers", null, "{\"name\":\"Ada\"}").contains("Send Content-Type"), "No advice");
    String order = call(201, "POST", customer + "/orders", json, "{\"productId\":1,\"orderValue\":5}");
    wanted(call(200, "POST", order + "/pay", json, "{}").contains("\"paid\""), "The order is not paid");
    call(400, "POST", order + "/place", json, "{\"when\":\"now\"}");
    wanted(call(200, "GET", "/files/large.bin", null, null).startsWith("0123456789abcdef"), "Other bytes");
    call(204, "DELETE", customer, null, null);
    System.out.println("ok");
  }
}
