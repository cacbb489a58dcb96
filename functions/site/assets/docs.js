// Shows the description beside this page. Everything is relative, so that the page knows no base path.
window.addEventListener('load', () => {
  SwaggerUIBundle({
    url: 'openapi.json',
    dom_id: '#swagger-ui',
    deepLinking: true,
    validatorUrl: null,
  });
});
