// Package apigw sends frames to connections through API Gateway's management API.
//
// It signs requests itself, over net/http. The SDK's client costs about twice the CPU, and posting
// is most of the work of the feed function.
package apigw
