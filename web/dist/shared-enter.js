import{d as t}from"./shared-focus.js";function i({route:e},o){(e.value.room!==o||e.value.message)&&e.go(o),setTimeout(t)}export{i as a};
