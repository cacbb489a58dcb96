import { App, ResourceApi } from 'resource-api/cdk';

new ResourceApi(new App(), 'library', {
  variables: { MAIL_URL: 'https://mail.test/' },
  environments: {
    development: { name: 'library-development', data: 'destroy' },
    production: { variables: { MAIL_URL: 'https://mail.example/' } },
  },
});
