package config

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
)

// lambdaQuotas is AWS's page about the quotas of functions.
const lambdaQuotas = "https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html"

// maxVariableTexts is the limit for the settings of any length among the variables of one function,
// in bytes of JSON. Lambda allows 4,096 bytes for all variables together, and the others have at
// most 1,000.
const maxVariableTexts = 3_000

// VariableTexts are the settings of any length among the variables of some functions.
type VariableTexts struct {
	// Functions are names of folders below functions/.
	Functions []string
	// Setting is the setting that is too long if the texts are, and With are the other settings.
	Setting, With string
	// Texts are the values of the settings.
	Texts []string
}

// Bytes returns the length of the texts as JSON.
func (v VariableTexts) Bytes() int {
	text, _ := json.Marshal(strings.Join(v.Texts, ",")) // a text can always be encoded
	return len(text) - len(`""`)
}

// VariableTexts returns the settings of any length that functions receive as variables.
func (c Config) VariableTexts() []VariableTexts {
	var table, tables, page, files []string
	if stream := c.Table.AdoptStream; stream != "" {
		table = []string{path.Base(TableOf(stream))}
	}
	tables = table
	if log := c.Table.AdoptLog; log != "" {
		tables = append([]string{path.Base(log)}, table...)
	}
	if bucket := c.Table.AdoptFiles; bucket != "" {
		files = []string{bucket}
	}
	if c.Page.Name != "" {
		page = []string{"https://" + c.Page.Name}
	}
	tokens := append([]string{c.Tokens.Issuer}, c.Tokens.Audience...)
	return []VariableTexts{
		{
			[]string{"write", "read", "search"}, "RoomCreators", "NameClaim, Files.Types and Adopt",
			slices.Concat(c.API.RoomMakers, []string{c.API.NameClaim}, c.Files.Types, tables, files),
		},
		{[]string{"socket"}, "Audience", "Issuer and Adopt", slices.Concat(tokens, table)},
		{[]string{"authorizer"}, "Origins", "Issuer, Audience and Page", slices.Concat(c.API.Origins, tokens, page)},
	}
}

// checkVariables adds the settings that do not fit into the variables of a function.
func (c Config) checkVariables(p *problems) {
	for _, v := range c.VariableTexts() {
		p.refuse(v.Bytes() > maxVariableTexts, v.Setting, "is too long: with %s it has %d bytes, and the variables "+
			"of a function have room for %d (%s)",
			v.With, v.Bytes(), maxVariableTexts, lambdaQuotas)
	}
}
