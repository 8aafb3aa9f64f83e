// Package doctor checks an AWS account before a deployment, and a deployment after it. It only
// reads, and changes nothing.
//
// Each check reads one thing, decodes the response, and judges it against the settings. A judgment
// is a plain function of both. A missing permission of the credentials is a finding, not an error.
//
// The calls are plain requests, signed by the SDK's signer. This way the calls of a dozen services
// fit into one file, instead of an SDK module for each.
package doctor
