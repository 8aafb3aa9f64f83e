import{a,b,c,d,e,f}from"./chunk-FKNO24F2.js";import"./chunk-ZYKGQLAV.js";export{a as arrive,e as renewed,d as signInAgain,b as signInAs,c as signInWith,f as signOut};
