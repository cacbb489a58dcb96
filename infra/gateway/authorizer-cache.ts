/** Seconds that API Gateway caches a decision of the authorizer. A revoked token stays valid for up to this time. */
export const AUTHORIZER_CACHE_SECONDS = 300;
