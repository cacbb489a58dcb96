/** Seconds that API Gateway caches a decision of the authorizer. Functions refuse a token that expires meanwhile. */
export const AUTHORIZER_CACHE_SECONDS = 300;
