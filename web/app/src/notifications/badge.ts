// The number of unread messages on the icon of the tab and of the installed app: the same as in the title.

/** A larger number is not shown on the small icon of a tab. */
const most = 99;

/** Returns the page's icon with a number, red if a message mentions the person. */
function numbered(icon: string, count: number, mentioned: boolean): string {
  const text = count > most ? `${most}+` : `${count}`;
  const width = 8 + 7 * text.length;
  const shape =
    `<rect x="${32 - width}" width="${width}" height="17" rx="8" fill="${mentioned ? "#d1242f" : "#57606a"}"/>`;
  const font = `font-family="sans-serif" font-size="13" font-weight="bold"`;
  const label = `<text x="${32 - width / 2}" y="13" ${font} text-anchor="middle" fill="#fff">${text}</text>`;
  return icon.replace("</svg>", `${shape}${label}</svg>`);
}

/** Returns a function that shows a number. */
export function badge(): (count: number, mentioned: boolean) => void {
  const link = document.querySelector("link[rel=icon]");
  const plain = link?.getAttribute("href") ?? "";
  const icons = new Map<string, string>(); // at most two for each number; the browser may load one late
  let icon: Promise<string> | undefined;
  let wanted = "";
  return (count, mentioned) => {
    void (count ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.())?.catch(() => undefined);
    const now = wanted = count ? `${Math.min(count, most + 1)} ${mentioned}` : "";
    if (!now) return link?.setAttribute("href", plain);
    icon ??= fetch(plain).then(answer => answer.text());
    void icon.then(text => {
      if (!icons.has(now)) {
        icons.set(now, URL.createObjectURL(new Blob([numbered(text, count, mentioned)], { type: "image/svg+xml" })));
      }
      if (wanted === now) link?.setAttribute("href", icons.get(now)!);
    }, () => { icon = undefined; });
  };
}
