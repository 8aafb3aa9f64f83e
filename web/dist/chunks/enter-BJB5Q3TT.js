import{a,b,c,d,e,f}from"./chunk-LV6ZYE2Y.js";import"./chunk-ZRYXZTTC.js";export{a as arrive,e as renewed,d as signInAgain,b as signInAs,c as signInWith,f as signOut};
