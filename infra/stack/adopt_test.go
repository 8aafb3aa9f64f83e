package stack_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/parley/infra/config"
	"example.com/parley/internal/table"
)

// TestTables_AdoptScriptMatches compares the script with a table of the stack. An adopted table
// must work alike.
func TestTables_AdoptScriptMatches(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "scripts", "adopt"))
	if err != nil {
		t.Fatal(err)
	}
	script := string(text)
	days := func(env config.Env) int { return config.Fixed(env).Table.RecoveryDays }
	for what, want := range map[string]string{
		"keys of the table": fmt.Sprintf("keys_are \"$table\" '%s %s'", table.PK, table.SK),
		"keys of the log":   fmt.Sprintf("keys_are \"$log_table\" '%s %s'", table.LogPK, table.LogSK),
		"index":             "IndexName\")\" = " + table.Index + " ]",
		"expiry":            "Enabled=true,AttributeName=" + table.TTL + " ",
		"expiry of the log": "Enabled=true,AttributeName=" + table.LogTTL + " ",
		"stream":            "StreamViewType=" + deployments["prod"].template.Resources["Table"].text("StreamSpecification", "StreamViewType"),
		// The emulator restores immediately. AWS takes longer than one wait of the AWS CLI.
		"wait for a restore":      "[ \"$status\" = CREATING ]; do sleep 20; done\n  aws dynamodb wait table-exists",
		"wait for its backups":    "recoverable \"$1\"\n  aws dynamodb update-continuous-backups",
		"recovery in dev":         fmt.Sprintf("dev) days=%d protect= ;;", days(config.Dev)),
		"recovery and protection": fmt.Sprintf("prod) days=%d protect=yes ;;", days(config.Prod)),
	} {
		if !strings.Contains(script, want) {
			t.Errorf("scripts/adopt does not state the %s: %s", what, want)
		}
	}
}
