// Package doctor checks an AWS account before a deployment, and a deployment after it.
//
// The checks of an account only read. Exercise uses a deployment as one of its users. IAM judges
// conditions only when a call is made, so each conditioned statement needs a call. The calls go
// through the public API and live delivery, in a private room that is deleted at the end.
//
// Each check reads one thing, decodes the response, and judges it against the settings. A judgment
// is a plain function of both. A missing permission of the credentials is a finding, not an error.
//
// The calls are plain requests, signed by the SDK's signer. This way the calls of a dozen services
// fit into one file, instead of an SDK module for each.
package doctor
