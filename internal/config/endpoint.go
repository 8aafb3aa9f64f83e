package config

import "strings"

// These variables apply to every service.
const (
	endpointURL    = "AWS_ENDPOINT_URL"
	endpointIgnore = "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"
)

// Endpoint returns the endpoint that the environment configures for the service of a variable, such
// as config.EnvDynamoDBEndpoint, or "" for the default one. The service's variable takes precedence
// over AWS_ENDPOINT_URL, and AWS_IGNORE_CONFIGURED_ENDPOINT_URLS over both.
func Endpoint(getenv func(string) string, variable string) string {
	if strings.EqualFold(getenv(endpointIgnore), "true") {
		return ""
	}
	if own := getenv(variable); own != "" {
		return own
	}
	return getenv(endpointURL)
}
