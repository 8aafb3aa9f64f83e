// Package slack opens the export of a Slack workspace as an archive.
package slack
