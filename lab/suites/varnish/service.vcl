vcl 4.1;

# A shared cache with Varnish's default rules. The header fields of the service decide what it stores.

backend default {
  .host = "127.0.0.1";
  .port = "PORT";
}

sub vcl_backend_response {
  # Only for such a request: makes the response stale at once and keeps it for revalidation.
  if (bereq.http.X-Stale-At-Once) {
    set beresp.ttl = 1ms;
    set beresp.grace = 0s;
    set beresp.keep = 1h;
  }
  set beresp.http.X-Revalidated = beresp.was_304;
}

sub vcl_deliver {
  # Differs for each request, so that no two responses would be equal.
  unset resp.http.X-Varnish;
  if (!req.http.X-Tell) {
    unset resp.http.X-Revalidated;
    unset resp.http.Age;
  } else if (obj.hits > 0) {
    set resp.http.X-Cache = "hit";
  } else {
    set resp.http.X-Cache = "miss";
  }
}
