// Applies the theme, the density and the clock that the person chose, before the first paint and in all tabs. It is
// a script of its own: the document waits for it.
{
  const apply = () => {
    const { dataset } = document.documentElement;
    for (const name of ["theme", "density", "clock"]) {
      const chosen = localStorage.getItem(`parley.${name}`);
      if (chosen) dataset[name] = chosen;
      else delete dataset[name];
    }
  };
  apply();
  for (const event of ["storage", "appearance"]) addEventListener(event, apply);
}
