// Parses an AsyncAPI document with all its references, and lints it. Fails on every finding but
// the advice to use the latest version, which few generators read.
import { Parser, fromFile } from '@asyncapi/parser';

const { document, diagnostics } = await fromFile(new Parser(), process.argv[2]).parse();
const findings = diagnostics.filter((d) => d.code !== 'asyncapi-latest-version');
for (const d of findings) console.error(`${d.code} ${d.path.join('.')}: ${d.message}`);
const operations = document?.operations().all().length ?? 0;
console.log(`${process.argv[2]}: ${operations} operations, ${findings.length} findings`);
process.exitCode = findings.length > 0 || operations === 0 ? 1 : 0;
