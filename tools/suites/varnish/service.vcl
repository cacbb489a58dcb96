vcl 4.1;

# A shared cache with Varnish's own rules: what may be stored is for the service's header fields to say.

backend default {
  .host = "127.0.0.1";
  .port = "PORT";
}

sub vcl_backend_response {
  # For this request alone: stale at once, kept for revalidation.
  if (bereq.http.X-Stale-At-Once) {
    set beresp.ttl = 1ms;
    set beresp.grace = 0s;
    set beresp.keep = 1h;
  }
  set beresp.http.X-Revalidated = beresp.was_304;
}

sub vcl_deliver {
  # Another for each request, which would make any two answers differ.
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
