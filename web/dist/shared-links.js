function u(n,e){if(!n.includes("#/"))return[];let t=e.replace(/[.*+?^${}()|[\]\\]/g,"\\$&"),i=new RegExp(`(?:${t}|\\]\\()#/([\\w.~%-]+)/([\\w.~%-]+)`,"g"),r=new Map;for(let[,o="",a=""]of n.matchAll(i)){let s=`${o}/${a.replace(/\.+$/,"")}`,d=r.size<3&&l(s);d&&r.set(s,d)}return[...r.values()]}function l(n){try{let[e="",t=""]=n.split("/").map(decodeURIComponent);return{room:e,id:t}}catch{return}}var c=4e3;function g(n,e,t){let r=(n.length>c?`${n.slice(0,c).replace(/[\ud800-\udbff]$/,"")}…`:n).split(`
`).map(o=>`> ${o}`).join(`
`);return[t.trim(),`${r}
${e}`].filter(Boolean).join(`

`)}export{u as a,g as b};
