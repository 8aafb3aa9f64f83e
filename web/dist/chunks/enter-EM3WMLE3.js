import{a,b,c,d,e,f}from"./chunk-DNIREQIQ.js";import"./chunk-4PKT3QYS.js";export{a as arrive,e as renewed,d as signInAgain,b as signInAs,c as signInWith,f as signOut};
