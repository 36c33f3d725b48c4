// Shows the description of the API by Swagger UI; everything comes from this site.
const viewer = document.getElementById("viewer");
SwaggerUIBundle({
  url: viewer.dataset.description,
  domNode: viewer,
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,
});
