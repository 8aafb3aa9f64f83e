// The styles of late code. They are loaded before it shows anything, so that nothing moves.

const sheet = document.createElement("link");
sheet.rel = "stylesheet";
sheet.href = new URL("late.css", import.meta.url).href;
await new Promise(resolve => {
  sheet.onload = sheet.onerror = resolve; // without styles it can still be read
  document.head.append(sheet);
});

export {};
