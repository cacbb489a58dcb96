import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.StringJoiner;

/**
 * Sends requests with the defaults of java.net.http, which also asks for HTTP/2. Each line of stdin has a method, a URL, the
 * content in base64 and header fields, with tabs between them. Each line of stdout is the response in JSON.
 */
class JavaClient {
  static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  static String written(HttpResponse<byte[]> response) {
    Deque<String> redirects = new ArrayDeque<>();
    for (var before = response.previousResponse(); before.isPresent(); before = before.get().previousResponse())
      redirects.addFirst(String.valueOf(before.get().statusCode()));
    StringJoiner headers = new StringJoiner(",", "{", "}");
    response.headers().map().forEach((name, values) ->
        headers.add(quoted(name.toLowerCase()) + ":" + quoted(String.join(", ", values))));
    return "{\"status\":" + response.statusCode() + ",\"headers\":" + headers + ",\"redirects\":[" + String.join(",", redirects)
        + "],\"body\":" + quoted(Base64.getEncoder().encodeToString(response.body())) + "}";
  }

  public static void main(String[] args) throws Exception {
    HttpClient client = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] sent = line.split("\t", -1);
      byte[] content = Base64.getDecoder().decode(sent[2].equals("-") ? "" : sent[2]);
      HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(sent[1]))
          .method(sent[0], sent[2].equals("-") ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(content));
      for (int at = 3; at < sent.length; at++) {
        String[] field = sent[at].split(": ", 2);
        request.header(field[0], field[1]);
      }
      System.out.println(written(client.send(request.build(), BodyHandlers.ofByteArray())));
    }
  }
}
