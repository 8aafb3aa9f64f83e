// Package doctor checks an AWS account before a deployment, and a deployment after it. It reads and
// changes nothing.
//
// Each check reads one thing, decodes the answer, and judges it against the settings. A judgement
// is a plain function of both. A right that the credentials lack is a finding, and no error.
//
// The calls are plain requests, signed by the SDK's signer. The calls of a dozen services fit into
// one file that way, where the SDK has a module for each.
package doctor
